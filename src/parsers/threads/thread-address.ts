/** Issue, pull request, or discussion of a forge, by the address of its page. */
export interface ThreadAddress {
  readonly forge: 'github' | 'gitlab';
  readonly kind: 'discussion' | 'issue' | 'pull';
  /** `owner/name`; on GitLab with its groups before it. */
  readonly repository: string;
  readonly number: number;
  /** Base URL of the forge's API, without a slash at the end. */
  readonly api: string;
}

/** Returns the thread at an address; undefined for other pages. */
export function threadAddress(address: string): ThreadAddress | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const github = /^\/([\w.-]{1,100}\/[\w.-]{1,100})\/(issues|pull|discussions)\/(\d{1,9})(?:\/|$)/.exec(
    url.pathname,
  );
  if (github !== null && /^(?:www\.)?github\.com$/.test(url.host)) {
    const [, repository = '', kind, number = ''] = github;
    return {
      forge: 'github',
      kind: kind === 'pull' ? 'pull' : kind === 'discussions' ? 'discussion' : 'issue',
      repository,
      number: Number(number),
      api: 'https://api.github.com',
    };
  }
  const gitlab =
    /^\/([\w.-]{1,100}(?:\/[\w.-]{1,100}){1,10})\/-\/(issues|merge_requests|work_items)\/(\d{1,9})(?:\/|$)/.exec(
      url.pathname,
    );
  if (gitlab === null) return undefined;
  const [, repository = '', kind, number = ''] = gitlab;
  return {
    forge: 'gitlab',
    kind: kind === 'merge_requests' ? 'pull' : 'issue',
    repository,
    number: Number(number),
    api: `${url.origin}/api/v4`,
  };
}
