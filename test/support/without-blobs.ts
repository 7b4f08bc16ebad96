import type { BrowserContext } from '@playwright/test';

/**
 * Lets VS Code windows of this context receive the server's messages as buffers. VS Code reads them as blobs, and each
 * blob passes through the browser's own process.
 */
export async function withoutBlobs(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    if (window !== window.top) return;
    window.WebSocket = class extends WebSocket {
      constructor(...parameters: ConstructorParameters<typeof WebSocket>) {
        super(...parameters);
        this.binaryType = 'arraybuffer';
      }
    };
    window.FileReader = class extends FileReader {
      override readAsArrayBuffer(data: Blob | ArrayBuffer): void {
        if (data instanceof Blob) super.readAsArrayBuffer(data);
        else
          queueMicrotask(() => {
            // VS Code reads nothing but the result of the target.
            this.onload?.({ target: { result: data } } as ProgressEvent<FileReader>);
          });
      }
    };
  });
}
