import type { JSX } from 'preact';

/** Shows the title of a source. If a path is too long, its folders are cut off and the file name stays. */
export function SourceTitle({ title }: { readonly title: string }): JSX.Element {
  const name = title.lastIndexOf('/') + 1;
  return (
    <span class="title" dir="auto">
      {name > 0 && <span class="folders">{title.slice(0, name)}</span>}
      <span class="name">{title.slice(name)}</span>
    </span>
  );
}
