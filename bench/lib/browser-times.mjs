import { setTimeout as pause } from 'node:timers/promises'
import { findMedian } from './figures.mjs'

const viewport = { width: 1280, height: 800 }

/**
 * Returns milliseconds since the navigation started: `largest` (the largest contentful paint) and
 * `rows` (the first frame with as many rows as the option `rows`).
 */
async function timePaint(browser, { url, cookies, selector, rows, slowed }) {
  const context = await browser.newContext({ viewport })
  try {
    if (cookies) await context.addCookies(cookies)
    const page = await context.newPage()
    await page.addInitScript(
      ({ selector, rows }) => {
        const recordTimeOfRows = () => {
          if (document.querySelectorAll(selector).length >= rows)
            globalThis.rowsAt = performance.now()
          else requestAnimationFrame(recordTimeOfRows)
        }
        requestAnimationFrame(recordTimeOfRows)
        new PerformanceObserver((list) => {
          globalThis.largestAt = list.getEntries().at(-1).startTime
        }).observe({ type: 'largest-contentful-paint', buffered: true })
      },
      { selector, rows },
    )
    const cdpSession = await context.newCDPSession(page)
    await cdpSession.send('Emulation.setCPUThrottlingRate', { rate: slowed })
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForFunction(() => globalThis.rowsAt !== undefined)
    // Waits, because the largest paint can still change while more rows are painted.
    await pause(500)
    return await page.evaluate(() => ({ largest: globalThis.largestAt, rows: globalThis.rowsAt }))
  } finally {
    await context.close()
  }
}

const findMedians = (measurements, names) =>
  Object.fromEntries(names.map((name) => [name, findMedian(measurements.map((one) => one[name]))]))

/** Loads without a browser cache and alternates between the pages. Returns medians. */
export async function timePaints(browser, pages, repeatCount) {
  const timesByPage = pages.map(() => [])
  for (let at = 0; at <= repeatCount; at += 1) {
    for (const [index, page] of pages.entries()) {
      const paintTime = await timePaint(browser, page)
      // The first load does not count, because the server still compiles code.
      if (at > 0) timesByPage[index].push(paintTime)
    }
  }
  return timesByPage.map((one) => findMedians(one, ['largest', 'rows']))
}

/**
 * Returns the milliseconds from a click on the first `clicked` (a selector) to the first frame with
 * `wanted`. `$row` in `wanted` stands for the id of the clicked row.
 */
async function timeClick(page, clickedSelector, wantedSelector) {
  const clickTiming = page.evaluate(
    ([clicked, wanted]) =>
      new Promise((resolve) => {
        const clickedLink = document.querySelector(clicked)
        const clickedRowId = clickedLink.closest('[data-row]')?.dataset.row
        const wantedRowSelector = wanted.replace('$row', clickedRowId)
        const startedAt = performance.now()
        const checkForWantedElement = () =>
          requestAnimationFrame(
            document.querySelector(wantedRowSelector)
              ? () => resolve(performance.now() - startedAt)
              : checkForWantedElement,
          )
        clickedLink.click()
        checkForWantedElement()
      }),
    [clickedSelector, wantedSelector],
  )
  // Otherwise an element that never appears would block the benchmark forever.
  const timeout = pause(20_000, null, { ref: false }).then(() =>
    Promise.reject(new Error(`after a click on ${clickedSelector} nothing was ${wantedSelector}`)),
  )
  return Promise.race([clickTiming, timeout])
}

export async function timeNavigations(browser, { url, cookies }, repeatCount) {
  const context = await browser.newContext({ viewport })
  try {
    await context.addCookies(cookies)
    const page = await context.newPage()
    const navigationTimes = []
    for (let at = 0; at <= repeatCount; at += 1) {
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
