import { createTheme, type MantineThemeOverride } from '@mantine/core';
import { readableOn, shadesOf } from '../shared/accent';

/** Ten shades of the service's colour. White text is readable on the seventh. */
export function themeOf(
  color: string,
  { close, showPassword }: Record<'close' | 'showPassword', string>,
): MantineThemeOverride {
  const readable = readableOn('#ffffff', color);
  return createTheme({
    primaryColor: 'service',
    primaryShade: { light: 6, dark: 6 },
    colors: { service: shadesOf(readable) },
    fontFamily: "system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif",
    defaultRadius: 'md',
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      // Icon buttons need a name for screen readers (WCAG 4.1.2).
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': close } } },
      PasswordInput: {
        defaultProps: { visibilityToggleFocusable: true, visibilityToggleButtonProps: { 'aria-label': showPassword } },
      },
      Modal: { defaultProps: { closeButtonProps: { 'aria-label': close } } },
    },
  });
}
