// Preloaded into the servers. A start script that is killed outright cannot stop them, so they stop themselves.
import { isMainThread } from 'node:worker_threads'
import { onParentDeath } from './watch-parent.mjs'

if (isMainThread) onParentDeath(() => process.kill(process.pid, 'SIGTERM'))
