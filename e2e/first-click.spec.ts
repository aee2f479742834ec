import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { payoutsPath, signInPath } from '@/lib/routes'
import { expect, type StopAfterTest, test } from './fixtures'

const targetPath = payoutsPath('sandbox', { tab: 'paid' })

/**
 * Serves a page with a link, as a webmail site would. Uses `localhost`, because Paydesk runs on
 * 127.0.0.1 and the browser treats the two as different sites.
 */
async function serveMailPage(link: string) {
  const server = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>Mail</title><a href="${link}">Look at this payout</a>`),
  )
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () => server.close(),
  }
}

async function followMailLink(
  page: Page,
  stopAfterTest: StopAfterTest,
  deskUrl: string,
): Promise<void> {
  const mailServer = await stopAfterTest(serveMailPage(`${deskUrl}${targetPath}`))
  await page.goto(mailServer.url)
  const [pageRequest] = await Promise.all([
    page.waitForRequest((request) => new URL(request.url()).pathname === targetPath.split('?')[0]),
    page.getByRole('link').click(),
  ])
  expect((await pageRequest.allHeaders()).cookie ?? '').not.toContain('paydesk.session')
}

test('a link in an email opens its page for a signed-in person, although the browser omits the cookie', {
  tag: '@full',
}, async ({ signIn, started, deskUrl }) => {
  const page = await signIn('viewer')
  await followMailLink(page, started, deskUrl)
  await expect(page).toHaveURL(targetPath)
  await expect(page.getByRole('heading', { name: 'Payouts', level: 1 })).toBeVisible()
})

test('a link in an email opens the sign-in form for a signed-out person', { tag: '@full' }, async ({
  page,
  started,
  deskUrl,
}) => {
  await followMailLink(page, started, deskUrl)
  await expect(page).toHaveURL(signInPath(targetPath))
  await expect(page.getByLabel('Email')).toBeVisible()
})
