/** Style sheets are bundled with the script that imports them. */
declare module '*.css';

/** API that VS Code gives each webview, once. */
interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;
