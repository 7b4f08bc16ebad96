/** Maximum number of redirects to follow before the last one is returned unchanged. */
const MAX_REDIRECTS = 5;

/**
 * Returns the `fetch` for requests to an endpoint. They carry the key, the user's headers, and words of the notebook,
 * so only the origin of `baseUrl` gets them. A redirect to the same origin is followed with the same method and body.
 * One to another origin is returned as the response, with its absolute `location`, and the client doesn't retry it.
 *
 * Requests go through the global `fetch`, which has VS Code's proxy and certificates in the extension host.
 * @param baseUrl a valid web address
 */
export function endpointFetch(baseUrl: string): typeof globalThis.fetch {
  const { origin } = new URL(baseUrl);
  return async (input, init) => {
    let url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) throw new Error(`${url.origin} is not the endpoint ${origin}.`);
    for (let hop = 0; ; hop++) {
      const response = await fetch(url, { ...init, redirect: 'manual' });
      const { status, headers } = response;
      const location = status >= 300 && status < 400 ? headers.get('location') : null;
      const to = location === null ? null : URL.parse(location, url.href);
      if (to === null) return response;
      await response.body?.cancel();
      if (to.origin !== origin || hop === MAX_REDIRECTS)
        return new Response(null, { status, headers: { location: to.href, 'x-should-retry': 'false' } });
      url = to;
    }
  };
}
