export type SendMessage = (name: string, payload?: object) => void

/**
 * Opens the message channel with the framing window and returns the function that sends. Sends to `origin` only, and nothing without a
 * framing window. Each message is `{type, payload}`; all types start with the same prefix. `onMessage` receives the type, without prefix, of
 * each message from the parent window with that origin. Other messages are ignored. Runs in the browser.
 */
export function openMessageChannel(origin: string, onMessage: (name: string) => void): SendMessage {
  const prefix = '@provider/js-bridge/'
  const isFramed = origin !== '' && window.parent !== window
  const handleMessage = ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from !== origin || source !== window.parent) return
    if (typeof data !== 'object' || data === null || !('type' in data) || typeof data.type !== 'string') return
    if (data.type.startsWith(prefix)) onMessage(data.type.slice(prefix.length))
  }
  if (isFramed) window.addEventListener('message', handleMessage)
  return (name, payload) => {
    if (isFramed) window.parent.postMessage({ type: prefix + name, ...(payload && { payload }) }, origin)
  }
}
