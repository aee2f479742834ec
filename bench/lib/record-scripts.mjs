import { findScripts, sumGzipSizes } from './first-load.mjs'

/**
 * Measures the JavaScript of a record page in kB: the scripts in its HTML (`first`), and all
 * scripts until the network is idle (`all`). Also counts the router's prefetch requests.
 */
async function measureRecordScripts(browser, { url, headers: { cookie } }, path) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    extraHTTPHeaders: { cookie },
  })
  const scriptUrls = new Set()
  const prefetches = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scriptUrls.add(request.url())
    if (request.headers()['next-router-prefetch']) prefetches.push(request.url())
  })
  try {
    const answer = await page.goto(`${url}/sandbox${path}`, { waitUntil: 'load' })
    const firstScripts = findScripts(await answer.text())
    await page.waitForLoadState('networkidle')
    return {
      first: await sumGzipSizes(url, firstScripts),
      all: await sumGzipSizes(url, scriptUrls),
      prefetches: prefetches.length,
    }
  } finally {
    await page.close()
  }
}

export async function measureAllRecordScripts(browser, desks, pages) {
  const rows = []
  for (const [name, path] of Object.entries(pages)) {
    for (const desk of desks)
      rows.push({ name, label: desk.label, ...(await measureRecordScripts(browser, desk, path)) })
  }
  return rows
}
