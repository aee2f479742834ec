// Sends SIGTERM to this process when its parent has ended. Otherwise servers would continue and keep their ports: a signal to npm ends only
// npm's shell, and a start script killed with SIGKILL cannot stop its servers.
import { isMainThread } from 'node:worker_threads'

const parentPid = process.ppid
const timer = setInterval(() => {
  if (process.ppid === parentPid) return
  clearInterval(timer)
  process.kill(process.pid, 'SIGTERM')
}, 250)
timer.unref()
// Only the main thread checks: a worker thread would send a second signal.
if (!isMainThread) clearInterval(timer)
