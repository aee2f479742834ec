import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('a drill that does not exist is refused, with the names of those that do', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/drill.mjs', 'restore', 'nothing'], { encoding: 'utf8' })
  const drills = ['disk-full', 'downgrade', 'pgbouncer', 'restore', 'rolling-restart', 'rotation', 'upgrade']
  expect([status, stderr]).toEqual([1, `nothing: no such drill. There are ${drills.join(', ')}\n`])
})
