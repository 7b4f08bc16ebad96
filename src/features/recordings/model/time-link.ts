/** Hosts whose addresses have the time as a parameter; others have it in the fragment. */
const YOUTUBE = /(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be)$/;

/** Returns the address of a page at a time of its video, in seconds. */
export function timeLink(address: string, seconds: number): string {
  const url = URL.parse(address);
  if (url === null) return address;
  const whole = String(Math.floor(seconds));
  if (YOUTUBE.test(url.hostname)) url.searchParams.set('t', `${whole}s`);
  else url.hash = `t=${whole}${/(?:^|\.)vimeo\.com$/.test(url.hostname) ? 's' : ''}`;
  return url.href;
}
