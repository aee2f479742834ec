import { printGoal, printTable } from './figures.mjs'
import { clientCount, farServiceDelayMs } from './page-load.mjs'

export function printPageFigures(figures) {
  const tableRows = figures.map(
    ({ name, label, cold, warm, cpu, rate, first, near, far: away, html, gzip }) => {
      const timingCells = [
        cpu.toFixed(0),
        rate.toFixed(1),
        first.toFixed(0),
        near.toFixed(0),
        away.toFixed(0),
      ]
      return [
        `${label}${name}`,
        `${cold}, ${warm}`,
        ...timingCells,
        (html / 1000).toFixed(0),
        (gzip / 1000).toFixed(1),
      ]
    },
  )
  printTable(
    [
      '',
      'calls',
      'CPU ms',
      `pages/s, ${clientCount}`,
      'first ms',
      'last ms',
      `at ${farServiceDelayMs} ms`,
      'HTML kB',
      'gzip kB',
    ],
    tableRows,
  )
  console.info('')
}

const findHighest = (rows, readValue) =>
  rows.reduce((most, one) => (readValue(one) > readValue(most) ? one : most))

export function printListGoals(lists) {
  const pageWithMostCalls = findHighest(lists, ({ cold, warm }) => cold + warm)
  printGoal(
    `calls to the service in the way of a list or of home, cold and warm (${pageWithMostCalls.name})`,
    pageWithMostCalls.cold + pageWithMostCalls.warm,
    0,
    {
      digits: 0,
    },
  )
  const mostDelayedPage = findHighest(lists, ({ near, far: away }) => away / near)
  printGoal(
    `last byte at ${farServiceDelayMs} ms, of that at 0 ms (${mostDelayedPage.name})`,
    mostDelayedPage.far / mostDelayedPage.near,
    1.1,
    { digits: 2 },
  )
  const pageWithMostCpu = findHighest(lists, ({ cpu }) => cpu)
  printGoal(`processor time of a page (${pageWithMostCpu.name})`, pageWithMostCpu.cpu, 50, {
    unit: ' ms',
  })
  const slowestPage = findHighest(lists, ({ rate }) => -rate)
  printGoal(
    `pages a second at ${clientCount} connections (${slowestPage.name})`,
    slowestPage.rate,
    20,
    { atLeast: true },
  )
  const activityPage = lists.find(({ name }) => name === 'activity')
  printGoal('HTML of activity, 50 rows', activityPage.html / 1000, 120, { unit: ' kB' })
}

export function printRecordGoals(records, scripts) {
  const mostDelayedRecord = findHighest(records, (one) => one.far - one.near)
  printGoal(
    `rounds to the service before the last byte of a record (${mostDelayedRecord.name})`,
    (mostDelayedRecord.far - mostDelayedRecord.near) / farServiceDelayMs,
    1.2,
  )
  const heaviestPage = findHighest(scripts, ({ all }) => all)
  printGoal(
    `JavaScript of a record page, all in, the heaviest (${heaviestPage.name})`,
    heaviestPage.all,
    220,
    { unit: ' kB' },
  )
  const prefetchCount = scripts.reduce((sum, one) => sum + one.prefetches, 0)
  printGoal('prefetches of all record pages', prefetchCount, 0, { digits: 0 })
}

export function printBrowserGoals({ rows, stepped }, rival) {
  printTable(
    ['', 'largest ms', 'react-admin', '50 rows ms', 'react-admin'],
    rows.map(({ delay, slowed, mine, theirs }) => {
      const paintTimeCells = [mine.largest, theirs.largest, mine.rows, theirs.rows].map((ms) =>
        ms.toFixed(0),
      )
      return [`service at ${delay} ms, processor slowed ${slowed}x`, ...paintTimeCells]
    }),
  )
  console.info(`  react-admin's script: ${rival.script.toFixed(0)} kB gzip\n`)
  for (const { delay, slowed, mine, theirs } of rows) {
    const maxPaintRatio = slowed === 1 ? 0.5 : 0.4
    printGoal(
      `largest paint of that of react-admin, service at ${delay} ms, ${slowed}x`,
      mine.largest / theirs.largest,
      maxPaintRatio,
      {
        digits: 2,
      },
    )
  }
  printGoal(`menu to rows, service at ${farServiceDelayMs} ms`, stepped.list, 150, {
    unit: ' ms',
    digits: 0,
  })
  printGoal(`row to record, service at ${farServiceDelayMs} ms`, stepped.record, 150, {
    unit: ' ms',
    digits: 0,
  })
}
