export type Say = (name: string, payload?: object) => void

/**
 * Opens the message channel with the framing window. Messages are `{type, payload}`, and every `type` has the same prefix. They are sent to
 * `origin` only; without a framing window none are sent. `heard` receives the names of messages from the parent window of that origin;
 * other shapes are ignored. Runs in the browser.
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
