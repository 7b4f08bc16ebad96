/** The color themes that every page has to work in, by VS Code's setting `workbench.colorTheme`. */
export const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
} as const;
