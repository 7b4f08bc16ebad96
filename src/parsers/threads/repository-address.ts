import { withoutEscapes } from '../../core/domain/web-address.ts';

/** Repository of a forge, or a folder in it, by the address of its page. */
export interface RepositoryAddress {
  readonly forge: 'github' | 'gitlab';
  /** `owner/name`; on GitLab with its groups before it. */
  readonly repository: string;
  /** Branch, tag, or commit; undefined for the main branch. */
  readonly ref: string | undefined;
  /** Folder, without slashes at its ends; '' for the whole repository. */
  readonly folder: string;
  /** Base URLs of the forge's API, of its files, and of its pages, without a slash at the end. */
  readonly api: string;
  readonly raw: string;
  readonly pages: string;
}

/** Pages of GitHub itself with addresses like those of repositories. */
const GITHUB_PAGES = new Set(
  'about account apps codespaces collections contact customer-stories enterprise events explore features login marketplace new notifications organizations orgs pricing search security sessions settings signup site solutions sponsors stars team topics trending users'.split(
    ' ',
  ),
);

/** Returns the repository or folder at an address; undefined for other pages. */
export function repositoryAddress(address: string): RepositoryAddress | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (/^(?:www\.)?github\.com$/.test(url.host)) {
    const [, owner = '', name = '', ref, folder = ''] =
      /^\/([\w.-]{1,100})\/([\w.-]{1,100})(?:\/tree\/([^/]{1,200})(?:\/(.{0,1000}))?)?\/?$/.exec(
        url.pathname,
      ) ?? [];
    if (owner === '' || GITHUB_PAGES.has(owner)) return undefined;
    return {
      forge: 'github',
      repository: `${owner}/${name.replace(/\.git$/, '')}`,
      ...place(ref, folder),
      api: 'https://api.github.com',
      raw: 'https://raw.githubusercontent.com',
      pages: 'https://github.com',
    };
  }
  const { origin } = url;
  const [, repository = '', ref, folder = ''] =
    /^\/([\w.-]{1,100}(?:\/[\w.-]{1,100}){1,10})\/-\/tree\/([^/]{1,200})(?:\/(.{0,1000}))?$/.exec(
      url.pathname,
    ) ??
    (url.host === 'gitlab.com' && !url.pathname.includes('/-/')
      ? (/^\/([\w.-]{1,100}(?:\/[\w.-]{1,100}){1,10})\/?$/.exec(url.pathname) ?? [])
      : []);
  if (repository === '' || /^(?:explore|groups|help|users)\//.test(repository)) return undefined;
  return {
    forge: 'gitlab',
    repository: repository.replace(/\.git$/, ''),
    ...place(ref, folder),
    api: `${origin}/api/v4`,
    raw: origin,
    pages: origin,
  };
}

function place(ref: string | undefined, folder: string): Pick<RepositoryAddress, 'folder' | 'ref'> {
  return {
    ref: ref === undefined ? undefined : withoutEscapes(ref),
    folder: withoutEscapes(folder)
      .split('/')
      .filter((part) => part !== '')
      .join('/'),
  };
}
