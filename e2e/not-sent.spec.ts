import { readFileSync } from 'node:fs'
import net from 'node:net'
import { payoutPath, signInPath } from '@/lib/routes'
import { startDashboard } from '@/tests/harness/dashboard'
import {
  fillRelease,
  getDecisionRegion,
  getReleaseButton,
  goTo,
  reasonText,
  waitForPaymentData,
} from './desk'
import { expect, test } from './fixtures'
import { getDataFolder } from './sandbox'

/**
 * Starts a TCP proxy in front of the sandbox. `cut` closes all its connections and stops it. `mend`
 * starts it again on the same port.
 */
async function startTcpProxy(url: string) {
  const { hostname, port } = new URL(url)
  const openSockets = new Set<net.Socket>()
  const proxyServer = net.createServer((clientSocket) => {
    const serverSocket = net.connect(Number(port), hostname)
    for (const socket of [clientSocket, serverSocket]) {
      openSockets.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => openSockets.delete(socket))
    }
    clientSocket.pipe(serverSocket).pipe(clientSocket)
  })
  const listenOnPort = (portNumber: number) =>
    new Promise<void>((resolve) => proxyServer.listen(portNumber, '127.0.0.1', resolve))
  await listenOnPort(0)
  const proxyPort = (proxyServer.address() as net.AddressInfo).port
  const cutConnections = async () => {
    const serverClosePromise = new Promise<void>((resolve) => proxyServer.close(() => resolve()))
    for (const socket of openSockets) socket.destroy()
    await serverClosePromise
  }
  return {
    url: `http://127.0.0.1:${proxyPort}`,
    cut: cutConnections,
    mend: () => listenOnPort(proxyPort),
  }
}

test('a write to an unreachable service is not sent, keeps the text and can be sent again', {
  tag: '@full',
}, async ({ page, sandbox, sandboxUrl }) => {
  const tcpProxy = await startTcpProxy(sandboxUrl)
  const { full } = JSON.parse(
    readFileSync(`${getDataFolder('document')}/sandbox/api-keys.json`, 'utf8'),
  ) as { full: string }
  const dashboard = await startDashboard({
    serviceUrl: tcpProxy.url,
    apiKey: full,
    env: { TEST_TIMES: 'pauses,hashes,responseHeaders' },
  })
  try {
    const payout = await sandbox.makePayout()
    await goTo(
      page,
      dashboard.url + signInPath(payoutPath('sandbox', payout.id, { account: payout.account })),
    )
    await page.getByRole('button', { name: /^operator / }).click()
    await waitForPaymentData(page)
    await fillRelease(page)
    await tcpProxy.cut()
    await getReleaseButton(page).click()
    await expect(getDecisionRegion(page).getByText('Not sent', { exact: true })).toBeVisible()
    await expect(
      getDecisionRegion(page).getByText(
        'Paydesk sent nothing, so nothing changed. You can try again.',
      ),
    ).toBeVisible()
    await expect(getDecisionRegion(page).getByLabel('Note', { exact: true })).toHaveValue(
      reasonText,
    )
    expect(await sandbox.writes(payout.id)).toEqual([])
    await tcpProxy.mend()
    await getReleaseButton(page).click()
    await expect(getDecisionRegion(page).getByText('Released', { exact: true })).toBeVisible()
    expect(await sandbox.journal(payout.id)).toHaveLength(1)
  } finally {
    // Leaves the page before its server stops. Otherwise its background requests would log errors
    // and fail the test.
    await page.goto('about:blank')
    await dashboard.stop()
    await tcpProxy.cut()
  }
})
