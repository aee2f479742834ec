/**
 * Calls back once when the parent process has ended. A signal to npm ends only its shell, so without this the servers would continue and
 * keep their ports.
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
