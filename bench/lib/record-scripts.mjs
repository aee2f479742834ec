import { findScripts, sumGzipSizes } from './first-load.mjs'

/** `first` is kB of the scripts in the HTML, `all` kB of all scripts until the network is idle. */
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
    const pageResponse = await page.goto(`${url}/sandbox${path}`, { waitUntil: 'load' })
    const firstScripts = findScripts(await pageResponse.text())
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
  const scriptFigures = []
  for (const [name, path] of Object.entries(pages)) {
    for (const desk of desks)
      scriptFigures.push({
        name,
        label: desk.label,
        ...(await measureRecordScripts(browser, desk, path)),
      })
  }
  return scriptFigures
}
