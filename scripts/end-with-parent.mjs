// Sends SIGTERM to this process when its parent has ended. A signal to npm ends only its shell, and a start script that is killed outright
// cannot stop its servers: they would continue and keep their ports.
import { isMainThread } from 'node:worker_threads'

const parent = process.ppid
const timer = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(timer)
  process.kill(process.pid, 'SIGTERM')
}, 250)
timer.unref()
// A worker thread would send a second signal.
if (!isMainThread) clearInterval(timer)
