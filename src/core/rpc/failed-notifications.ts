/** Logs an error with a message. */
type LogError = (message: string, error: unknown) => void;

let logError: LogError = (message, error) => {
  console.error(message, error);
};

/**
 * Sets the log for errors of notification handlers in this program. Without one, they appear in the console: in the
 * developer tools for a page, and in the standard error output for a process.
 */
export function logFailedNotifications(log: LogError): void {
  logError = log;
}

/** Logs the error of a notification handler, because the sender of a notification doesn't receive it. */
export function reportFailedNotification(method: string, error: unknown): void {
  logError(`The notification “${method}” failed:`, error);
}
