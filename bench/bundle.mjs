import { gzipSync } from 'node:zlib'
import { printGoal, printTable } from './lib/figures.mjs'
import { findPreloads, findScripts, sumGzipSizes } from './lib/first-load.mjs'
import { startDashboard, startSandbox } from './lib/servers.mjs'
import { signIn } from './lib/sign-in.mjs'

async function fetchPage(baseUrl, path, headers = {}) {
  const response = await fetch(baseUrl + path, { headers, redirect: 'manual' })
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  const html = await response.text()
  const scripts = findScripts(html)
  const preloadedScripts = findPreloads(html).filter((source) => !scripts.has(source))
  // Removes the scripts, which contain the same data: a row counts only if a browser without
  // JavaScript would show it.
  const htmlWithoutScripts = html.replace(/<script\b[\s\S]*?<\/script>/gi, '')
  const gzippedHtmlKb = gzipSync(html).length / 1000
  return {
    markup: htmlWithoutScripts,
    html_kB: gzippedHtmlKb,
    count: scripts.size,
    kB: await sumGzipSizes(baseUrl, scripts),
    announced_kB: await sumGzipSizes(baseUrl, preloadedScripts),
  }
}

/**
 * Measures the compressed JavaScript that three pages load first. Also checks that the first HTML
 * contains the payouts of the list and the details of one payout.
 */
export async function bundle() {
  const sandbox = await startSandbox({})
  const dashboard = await startDashboard({ sandbox })
  try {
    // The payouts list opens with the tab of held payouts, so its first HTML must contain these.
    const { data: held } = await sandbox.ask(
      '/v1/payments?payment_type=payout&payment_status=on_hold&page_size=50',
    )
    const headers = await signIn(dashboard.url)
    const heldPayout = held[0]
    const fetchedPages = {
      'payouts list': await fetchPage(dashboard.url, '/sandbox/payouts', headers),
      'payout detail': await fetchPage(dashboard.url, `/sandbox/payouts/${heldPayout.id}`, headers),
      'sign-in': await fetchPage(dashboard.url, '/sign-in'),
    }
    const tableRows = Object.entries(fetchedPages).map(([name, page]) => {
      return [
        name,
        page.count,
        page.kB.toFixed(1),
        page.announced_kB.toFixed(1),
        page.html_kB.toFixed(1),
      ]
    })
    printTable(['', 'scripts', 'kB gzip', 'announced kB', 'HTML kB'], tableRows)
    console.info('')
    printGoal('payouts list', fetchedPages['payouts list'].kB, 195, { unit: ' kB' })
    printGoal('payout detail', fetchedPages['payout detail'].kB, 195, { unit: ' kB' })
    const renderedPayoutCount = held.filter(({ id }) =>
      fetchedPages['payouts list'].markup.includes(id),
    ).length
    printGoal(
      `held payouts in the first HTML of the list, of ${held.length},`,
      renderedPayoutCount,
      held.length,
      { digits: 0, atLeast: true },
    )
    const foundTextCount = [heldPayout.id, heldPayout.customer_details.name].filter((text) =>
      fetchedPages['payout detail'].markup.includes(text),
    ).length
    printGoal('id and customer in the first HTML of the detail', foundTextCount, 2, {
      digits: 0,
      atLeast: true,
    })
  } finally {
    await dashboard.stop()
    await sandbox.stop()
  }
}
