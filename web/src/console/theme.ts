import { createTheme, type MantineThemeOverride } from '@mantine/core';
import { shadesOf } from '../shared/accent';

/** Luminance up to which white text is readable (WCAG 2.2, 1.4.3). The login pages choose the same text colour. */
const DARK_ENOUGH = 0.1833;

/** The service's colour as on the login pages, with black or white text on it. */
export function themeOf(
  color: string,
  { close, showPassword }: Record<'close' | 'showPassword', string>,
): MantineThemeOverride {
  return createTheme({
    primaryColor: 'service',
    primaryShade: { light: 6, dark: 6 },
    colors: { service: shadesOf(color) },
    autoContrast: true,
    luminanceThreshold: DARK_ENOUGH,
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
