import { pageNonce } from './nonce.ts';

// The UI toolkit asks the browser, by a style element, whether it knows :focus-visible. The policy of the page
// lets that element in only with the nonce of the page's script, which the toolkit looks for in this tag.
const nonce = pageNonce();
if (nonce !== undefined) {
  const tag = document.createElement('meta');
  tag.setAttribute('property', 'csp-nonce');
  tag.content = nonce;
  document.head.append(tag);
}
