import { setTimeout as pause } from 'node:timers/promises'
import { findMedian } from './figures.mjs'

const viewport = { width: 1280, height: 800 }

/**
 * Loads a page once. Returns two times in milliseconds since the navigation started: `largest` (the
 * largest contentful paint) and `rows` (the first frame that contains as many rows as the option
 * `rows`).
 */
async function timePaint(browser, { url, cookies, selector, rows, slowed }) {
  const context = await browser.newContext({ viewport })
  try {
    if (cookies) await context.addCookies(cookies)
    const page = await context.newPage()
    await page.addInitScript(
      ({ selector, rows }) => {
        const checkForRow = () => {
          if (document.querySelectorAll(selector).length >= rows)
            globalThis.rowsAt = performance.now()
          else requestAnimationFrame(checkForRow)
        }
        requestAnimationFrame(checkForRow)
        new PerformanceObserver((list) => {
          globalThis.largestAt = list.getEntries().at(-1).startTime
        }).observe({ type: 'largest-contentful-paint', buffered: true })
      },
      { selector, rows },
    )
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowed })
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForFunction(() => globalThis.rowsAt !== undefined)
    // Waits, because the largest paint can still change while more rows are painted.
    await pause(500)
    return await page.evaluate(() => ({ largest: globalThis.largestAt, rows: globalThis.rowsAt }))
  } finally {
    await context.close()
  }
}

const findMedians = (all, names) =>
  Object.fromEntries(names.map((name) => [name, findMedian(all.map((one) => one[name]))]))

/**
 * Loads each page `times` times without a browser cache, and alternates between the pages. Returns
 * the median times of each page.
 */
export async function timePaints(browser, pages, times) {
  const timesByPage = pages.map(() => [])
  for (let at = 0; at <= times; at += 1) {
    for (const [index, page] of pages.entries()) {
      const paintTime = await timePaint(browser, page)
      // The first load does not count, because the server still compiles code.
      if (at > 0) timesByPage[index].push(paintTime)
    }
  }
  return timesByPage.map((one) => findMedians(one, ['largest', 'rows']))
}

/**
 * Clicks the first link that matches the selector `clicked`. Returns the milliseconds until the
 * first frame with an element that matches the selector `wanted`. `$row` in `wanted` stands for the
 * id of the clicked row.
 */
async function timeClick(page, clicked, wanted) {
  const clickTiming = page.evaluate(
    ([clicked, wanted]) =>
      new Promise((resolve) => {
        const link = document.querySelector(clicked)
        const row = link.closest('[data-row]')?.dataset.row
        const soughtSelector = wanted.replace('$row', row)
        const startedAt = performance.now()
        const checkForWanted = () =>
          requestAnimationFrame(
            document.querySelector(soughtSelector)
              ? () => resolve(performance.now() - startedAt)
              : checkForWanted,
          )
        link.click()
        checkForWanted()
      }),
    [clicked, wanted],
  )
  // Rejects after 20 seconds. Without this timeout, an element that never appears would block the
  // benchmark forever.
  const timeout = pause(20_000, null, { ref: false }).then(() =>
    Promise.reject(new Error(`after a click on ${clicked} nothing was ${wanted}`)),
  )
  return Promise.race([clickTiming, timeout])
}

/**
 * Navigates from home to the payouts list, and from there to a record, `times` times. Returns the
 * median milliseconds of both steps.
 */
export async function timeNavigations(browser, { url, cookies }, times) {
  const context = await browser.newContext({ viewport })
  try {
    await context.addCookies(cookies)
    const page = await context.newPage()
    const navigationTimes = []
    for (let at = 0; at <= times; at += 1) {
      await page.goto(`${url}/sandbox/home`, { waitUntil: 'load' })
      // Waits until the page is idle, so that its remaining work is not part of the measurement.
      await pause(1000)
      const listTime = await timeClick(page, 'nav a[href^="/sandbox/payouts"]', 'main [data-row]')
      await pause(1000)
      const recordTime = await timeClick(page, 'main [data-row] a', 'main [data-heading="$row"]')
      if (at > 0) navigationTimes.push({ list: listTime, record: recordTime })
    }
    return findMedians(navigationTimes, ['list', 'record'])
  } finally {
    await context.close()
  }
}
