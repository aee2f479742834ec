/**
 * Calls back once when the process that started this one is gone. A signal sent to npm ends only its shell, so without this
 * the servers would live on and hold their ports.
 */
export function onParentDeath(callback) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    callback()
  }, 250)
  timer.unref()
}
