import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
import type { ReactNode } from 'react'
import { readPreferences } from '@/app/_pages/open-page'
import { PreferencesProvider } from '@/components/kits/layout/preferences-context'
import { toHtmlDataAttributes } from '@/lib/client/preferences'
import './globals.css'
import './print.css'

const inter = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  display: 'swap',
  variable: '--font-inter',
  adjustFontFallback: 'Arial',
  preload: true,
})

/** Extended Latin letters, for names. Downloaded only if a page contains such a letter. */
const interExtended = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2',
  weight: '100 900',
  display: 'swap',
  variable: '--font-inter-ext',
  adjustFontFallback: false,
  preload: false,
  declarations: [
    {
      prop: 'unicode-range',
      value: 'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1E00-1E9F,U+1EF2-1EFF',
    },
  ],
})

const jetbrainsMono = localFont({
  src: '../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  weight: '100 800',
  display: 'swap',
  variable: '--font-jetbrains-mono',
  adjustFontFallback: false,
  preload: false,
})

const fontClasses = `${inter.variable} ${interExtended.variable} ${jetbrainsMono.variable}`

export const metadata: Metadata = {
  title: { default: 'Paydesk', template: '%s · Paydesk' },
  robots: { index: false, follow: false },
  manifest: '/manifest.webmanifest',
  icons: {
    icon: [
      { url: '/favicon.ico', sizes: '32x32' },
      { url: '/icon.svg', type: 'image/svg+xml' },
    ],
    apple: { url: '/apple-touch-icon.png', sizes: '180x180' },
  },
}

/** The colors of `--surface`, for the bar of a phone's browser. */
export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#16181b' },
  ],
}

/**
 * Reading the cookie makes every page dynamic, even "not found". That is necessary: a prerendered
 * page would have no CSP nonce, and the browser would block its scripts.
 */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const preferences = await readPreferences()
  return (
    <html lang="en" className={fontClasses} {...toHtmlDataAttributes(preferences)}>
      <body className="font-sans">
        <PreferencesProvider initial={preferences} renderedAt={new Date().toISOString()}>
          {children}
        </PreferencesProvider>
      </body>
    </html>
  )
}
