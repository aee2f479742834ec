import 'server-only'
import { createHash } from 'node:crypto'

/**
 * The script of the frame. It accepts a file from the page that contains the frame, and shows it as
 * a PDF whatever its type, so that the browser never reads it as HTML.
 */
const frameScript = `addEventListener('message', ({ data, origin, source }) => {
  if (source !== parent || origin !== location.origin || !(data instanceof Blob)) return
  const frame = document.createElement('iframe')
  frame.title = document.title
  frame.src = URL.createObjectURL(new Blob([data], { type: 'application/pdf' }))
  document.body.replaceChildren(frame)
})`

const frameHtml = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Document</title>
<style>html,body,iframe{width:100%;height:100%;margin:0;border:0}</style>
<script>${frameScript}</script>
<body></body>
</html>`

const scriptHash = createHash('sha256').update(frameScript).digest('base64')

/**
 * A PDF inherits the policy of the page that created its URL. Chrome shows no PDF under `sandbox`,
 * nor without inline styles, which its viewer needs. So PDFs are in a page of their own with this
 * policy, and other pages keep theirs.
 */
const framePolicy = [
  "default-src 'none'",
  `script-src 'sha256-${scriptHash}'`,
  "style-src 'unsafe-inline'",
  'frame-src blob:',
  'object-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** Returns the page in which the document viewer shows PDFs. It contains no data. */
export const respondDocumentFrame = (): Response =>
  new Response(frameHtml, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': framePolicy,
      'x-frame-options': 'SAMEORIGIN',
    },
  })
