export type SendMessage = (name: string, payload?: object) => void

/**
 * Connects the page with its parent window (the window that frames it). Returns the function that
 * sends a message to the parent. A message is `{type, payload}`, and all types start with the same
 * prefix. Only `origin` can receive the messages; an unframed page sends none. Calls `onMessage`
 * with the type (without prefix) of each message that comes from the parent and from `origin`, and
 * ignores all others. Runs in the browser.
 */
export function openMessageChannel(origin: string, onMessage: (name: string) => void): SendMessage {
  const prefix = '@provider/js-bridge/'
  const isFramed = origin !== '' && window.parent !== window
  const handleMessage = ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from !== origin || source !== window.parent) return
    if (
      typeof data !== 'object' ||
      data === null ||
      !('type' in data) ||
      typeof data.type !== 'string'
    )
      return
    if (data.type.startsWith(prefix)) onMessage(data.type.slice(prefix.length))
  }
  if (isFramed) window.addEventListener('message', handleMessage)
  return (name, payload) => {
    if (isFramed)
      window.parent.postMessage({ type: prefix + name, ...(payload && { payload }) }, origin)
  }
}
