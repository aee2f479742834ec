import { startBrowser } from './lib/browser.mjs'
import { findMedian, printGoal, printTable } from './lib/figures.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'
import { signIn } from './lib/sign-in.mjs'

const listPaths = ['payouts', 'charges', 'payments', 'paykeys', 'customers', 'funding-events']

/** Milliseconds: `server` until the HTML was complete, `draw` from then to the first paint. */
async function timeRender(page, url) {
  await page.goto(url, { waitUntil: 'load' })
  return page.evaluate(async () => {
    const readPaintTime = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime
    while (readPaintTime() === undefined) await new Promise(requestAnimationFrame)
    const { responseEnd, requestStart } = performance.getEntriesByType('navigation')[0]
    return {
      rows: document.querySelectorAll('[data-row]').length,
      server: responseEnd - requestStart,
      // 0 if the first paint came before the end of the HTML: the user did not wait for it.
      draw: Math.max(0, readPaintTime() - responseEnd),
    }
  })
}

/**
 * Measures how long the browser takes to render a list of 50 rows after its HTML arrived, and how
 * long the server took to send the HTML.
 */
export async function rows({ quick }) {
  const sandbox = await startSandbox({})
  const dashboard = await startDashboard({ sandbox })
  const browser = await startBrowser()
  try {
    const { cookie } = await signIn(dashboard.url)
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      extraHTTPHeaders: { cookie },
    })
    const measuredLists = []
    for (const list of listPaths) {
      const url = `${dashboard.url}/sandbox/${list}?tab=all&size=50`
      await timeRender(page, url)
      const renderTimes = []
      for (let at = 0; at < (quick ? 3 : 9); at += 1) renderTimes.push(await timeRender(page, url))
      const findMedianOf = (name) => findMedian(renderTimes.map((time) => time[name]))
      measuredLists.push({
        list,
        rows: findMedianOf('rows'),
        server: findMedianOf('server'),
        draw: findMedianOf('draw'),
      })
    }
    printTable(
      ['', 'rows', 'HTML ms', 'drawn ms later'],
      measuredLists.map(({ list, rows: count, server, draw }) => [
        list,
        count,
        server.toFixed(0),
        draw.toFixed(0),
      ]),
    )
    console.info('')
    const slowestList = measuredLists.reduce((worst, one) => (one.draw > worst.draw ? one : worst))
    printGoal(
      `a list drawn once its HTML is here, the slowest (${slowestList.list})`,
      slowestList.draw,
      100,
      { unit: ' ms' },
    )
    printGoal('rows of the shortest list', Math.min(...measuredLists.map((one) => one.rows)), 50, {
      digits: 0,
      atLeast: true,
    })
  } finally {
    await browser.close()
    await dashboard.stop()
    await sandbox.stop()
  }
}
