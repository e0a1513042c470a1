import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  PREVIEW_PATH,
  PREVIEW_READY,
  type PreviewedPage,
  type Scheme,
  type SignInDraft,
} from '../../shared/sign-in-draft';

/** CSS pixels of the devices. */
const devices = { phone: { width: 390, height: 760 }, desktop: { width: 1280, height: 860 } } as const;
type Device = keyof typeof devices;

const pages: readonly PreviewedPage[] = ['login', 'register', 'reset'];
const schemes: readonly Scheme[] = ['light', 'dark'];

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly T[];
  readonly nameOf: (option: T) => string;
  readonly onChange: (option: T) => void;
}

function Choice<T extends string>({ label, value, options, nameOf, onChange }: ChoiceProps<T>): ReactNode {
  return (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={value}
      data={options.map((option) => ({ value: option, label: nameOf(option) }))}
      onChange={(chosen) => {
        const option = options.find((one) => one === chosen);
        if (option !== undefined) onChange(option);
      }}
    />
  );
}

interface SignInPreviewProps {
  readonly look: Omit<SignInDraft, 'page' | 'scheme'>;
}

/** The login pages with the unsaved changes, as on a device. */
export function SignInPreview({ look }: SignInPreviewProps): ReactNode {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setIsReady] = useState(false);
  const [page, setPage] = useState<PreviewedPage>('login');
  const [scheme, setScheme] = useState<Scheme>('light');
  const [device, setDevice] = useState<Device>('phone');
  const { ref, width: available } = useElementSize();
  const draft = { ...look, page, scheme };
  const sent = JSON.stringify(draft);

  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<unknown>): void => {
      if (source === frame.current?.contentWindow && data === PREVIEW_READY) setIsReady(true);
    };
    addEventListener('message', listen);
    return () => {
      removeEventListener('message', listen);
    };
  }, []);
  useEffect(() => {
    if (isReady) frame.current?.contentWindow?.postMessage(draft, location.origin);
  }, [isReady, sent]);

  const { width, height } = devices[device];
  const scale = available > 0 ? Math.min(1, available / width) : 1;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Choice
          label={t('sign_in.page')}
          value={page}
          options={pages}
          nameOf={(option) => t(`sign_in.page_${option}`)}
          onChange={setPage}
        />
        <Choice
          label={t('scheme.title')}
          value={scheme}
          options={schemes}
          nameOf={(option) => t(`scheme.${option}`)}
          onChange={setScheme}
        />
        <Choice
          label={t('sign_in.device')}
          value={device}
          options={['phone', 'desktop']}
          nameOf={(option) => t(`sign_in.device_${option}`)}
          onChange={setDevice}
        />
      </Group>
      <div ref={ref}>
        <div className="sign-in-preview" style={{ width: width * scale, height: height * scale }}>
          <iframe
            ref={frame}
            title={t('sign_in.preview')}
            src={PREVIEW_PATH}
            width={width}
            height={height}
            tabIndex={-1}
            style={{ transform: `scale(${scale})` }}
          />
        </div>
      </div>
      <Text size="sm" c="dimmed">
        {t('sign_in.preview_hint')}
      </Text>
    </Stack>
  );
}
