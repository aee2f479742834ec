import { newPath } from '@/lib/routes'
import { goTo } from './desk'
import { expect, test } from './fixtures'
import { customerFor } from './paykey-desk'

test('only the bank-connection page of the environment may be framed', async ({ signIn, sandboxUrl }) => {
  const page = await signIn('operator')
  for (const path of ['/sandbox/connect', '/sandbox/paykeys']) {
    const policy = (await page.request.get(path)).headers()['content-security-policy']
    expect(policy).toContain(`frame-src ${sandboxUrl};`)
  }
  expect((await page.request.get('/sign-in')).headers()['content-security-policy']).toContain("frame-src 'none';")
})

test('a customer is found by name within an account, by keyboard too', async ({ signIn, sandbox }) => {
  const page = await signIn('operator')
  const { name, account, customer } = await customerFor(page, sandbox)
  await goTo(page, newPath('sandbox', 'paykeys'))
  await expect(page).toHaveURL(/\/sandbox\/connect/)
  await page.getByLabel('Account', { exact: true }).selectOption(account)
  await page.getByLabel(/^Customer of/).fill(name)
  const choose = page.getByRole('button', { name: `Choose ${name}`, exact: true }).first()
  await choose.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/customer=[0-9a-f-]{36}/)
  await expect(page.getByRole('link', { name: 'Hosted widget' })).toBeVisible()
  expect(customer).toMatch(/^[0-9a-f-]{36}$/)
})
