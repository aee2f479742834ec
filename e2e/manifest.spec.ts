import { signInPath } from '@/lib/routes'
import { goTo } from './desk'
import { expect, test } from './fixtures'

type Manifest = {
  name: string
  start_url: string
  display: string
  theme_color: string
  background_color: string
  icons: { src: string; sizes: string; type: string; purpose: string }[]
}

test('the manifest is valid, has the page’s colors, and its icons have the stated sizes', {
  tag: '@full',
}, async ({ page, deskUrl }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await goTo(page, signInPath())
  const cdpSession = await page.context().newCDPSession(page)
  const { url, errors, data } = await cdpSession.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(url).toBe(`${deskUrl}/manifest.webmanifest`)

  const manifest = JSON.parse(data ?? '') as Manifest
  expect(manifest).toMatchObject({ name: 'Paydesk', start_url: '/', display: 'minimal-ui' })
  const backgroundColor = await page.evaluate(() => {
    const canvasContext = document.createElement('canvas').getContext('2d')
    if (!canvasContext) throw new Error('no canvas')
    canvasContext.fillStyle = getComputedStyle(document.documentElement)
      .getPropertyValue('--bg')
      .replace(/light-dark\((.+\)),.*/, '$1')
    canvasContext.fillRect(0, 0, 1, 1)
    const colorChannels = canvasContext.getImageData(0, 0, 1, 1).data.slice(0, 3)
    return `#${[...colorChannels].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
  })
  expect([manifest.theme_color, manifest.background_color]).toEqual([
    backgroundColor,
    backgroundColor,
  ])

  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    'any any',
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src, sizes } of manifest.icons.filter(({ type }) => type === 'image/png')) {
    const imageSize = await page.evaluate(async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      return `${image.naturalWidth}x${image.naturalHeight}`
    }, src)
    expect([src, imageSize]).toEqual([src, sizes])
  }
})
