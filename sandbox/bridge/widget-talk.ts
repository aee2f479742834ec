/** Says something to the window that framed the page: the name of a message and what it carries. */
export type Say = (name: string, payload?: object) => void

/**
 * Opens the talk with the window that framed the page; both ways it goes by window messages `{type, payload}` whose type begins alike. What is
 * said goes to that one origin, and nothing is said when there is none. `heard` gets the names of the messages that come from the parent window
 * of that origin; what has another shape is ignored. Runs in the browser.
 */
export function talkTo(origin: string, heard: (name: string) => void): Say {
  const prefix = '@provider/js-bridge/'
  const framed = origin !== '' && window.parent !== window
  const hear = ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from !== origin || source !== window.parent) return
    if (typeof data !== 'object' || data === null || !('type' in data) || typeof data.type !== 'string') return
    if (data.type.startsWith(prefix)) heard(data.type.slice(prefix.length))
  }
  if (framed) window.addEventListener('message', hear)
  return (name, payload) => {
    if (framed) window.parent.postMessage({ type: prefix + name, ...(payload && { payload }) }, origin)
  }
}
