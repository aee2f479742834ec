// Sends SIGTERM to this process when its parent has ended: a signal to npm ends only npm's shell,
// and a start script killed with SIGKILL cannot stop its servers.
import { isMainThread } from 'node:worker_threads'

const parentPid = process.ppid
const parentCheckInterval = setInterval(() => {
  if (process.ppid === parentPid) return
  clearInterval(parentCheckInterval)
  process.kill(process.pid, 'SIGTERM')
}, 250)
parentCheckInterval.unref()
// In a worker thread the timer is cleared, because each thread would send its own signal.
if (!isMainThread) clearInterval(parentCheckInterval)
