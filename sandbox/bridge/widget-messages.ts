export type SendMessage = (name: string, payload?: object) => void

/**
 * Connects the page with the window that frames it. Only `origin` can receive messages; an unframed
 * page sends none. `onMessage` gets a type without its prefix, only from that window and `origin`.
 * Runs in the browser.
 */
export function openMessageChannel(origin: string, onMessage: (name: string) => void): SendMessage {
  const messagePrefix = '@provider/js-bridge/'
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
    if (data.type.startsWith(messagePrefix)) onMessage(data.type.slice(messagePrefix.length))
  }
  if (isFramed) window.addEventListener('message', handleMessage)
  return (name, payload) => {
    if (isFramed)
      window.parent.postMessage({ type: messagePrefix + name, ...(payload && { payload }) }, origin)
  }
}
