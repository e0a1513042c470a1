import { Button, Group } from '@mantine/core';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof FORMATS)[number];

interface ExportButtonsProps {
  readonly busy: boolean;
  readonly onExport: (format: ExportFormat) => void;
}

export function ExportButtons({ busy, onExport }: ExportButtonsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Group>
      {FORMATS.map((format) => (
        <Button
          key={format}
          variant="default"
          leftSection={<Download />}
          loading={busy}
          onClick={() => {
            onExport(format);
          }}
        >
          {t(`audit.export_${format}`)}
        </Button>
      ))}
    </Group>
  );
}
