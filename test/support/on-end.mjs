/**
 * Calls back once when this process should end: at a signal, or when the npm that started it ends, which doesn't
 * forward every signal.
 * @param {() => void} end
 */
export function onEnd(end) {
  let ended = false;
  const once = () => {
    if (ended) return;
    ended = true;
    end();
  };
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, once);
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const watch = () => {
    if (process.ppid === parent) setTimeout(watch, 500).unref();
    else once();
  };
  watch();
}
