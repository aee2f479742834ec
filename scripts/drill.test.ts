import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('an unknown drill is rejected with the list of drills', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['scripts/drill.mjs', 'restore', 'nothing'],
    { encoding: 'utf8' },
  )
  const drillNames = [
    'disk-full',
    'downgrade',
    'pgbouncer',
    'restore',
    'rolling-restart',
    'rotation',
    'upgrade',
  ]
  expect([status, stderr]).toEqual([
    1,
    `nothing: no such drill. There are ${drillNames.join(', ')}\n`,
  ])
})
