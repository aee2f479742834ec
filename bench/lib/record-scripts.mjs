import { gzipOf, scriptsOf } from './first-load.mjs'

/** JavaScript of a record page: what its HTML loads, and all that has come once nothing more does. */
async function measureRecord(browser, { url, headers: { cookie } }, path) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, extraHTTPHeaders: { cookie } })
  const asked = new Set()
  const prefetches = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') asked.add(request.url())
    if (request.headers()['next-router-prefetch']) prefetches.push(request.url())
  })
  try {
    const answer = await page.goto(`${url}/sandbox${path}`, { waitUntil: 'load' })
    const first = scriptsOf(await answer.text())
    await page.waitForLoadState('networkidle')
    return { first: await gzipOf(url, first), all: await gzipOf(url, asked), prefetches: prefetches.length }
  } finally {
    await page.close()
  }
}

/** That of some record pages at some desks. */
export async function measureRecords(browser, desks, pages) {
  const rows = []
  for (const [name, path] of Object.entries(pages)) {
    for (const desk of desks) rows.push({ name, label: desk.label, ...(await measureRecord(browser, desk, path)) })
  }
  return rows
}
