import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { PreferencesProvider } from '@/components/kits/layout/preferences-context'
import { parsePreferences, preferencesCookie, viewAttributes } from '@/lib/client/preferences'
import { fontClasses } from './fonts'
import './globals.css'
import './print.css'

export const metadata: Metadata = { title: { default: 'Paydesk', template: '%s · Paydesk' }, robots: { index: false, follow: false } }

export const viewport: Viewport = { colorScheme: 'light dark' }

/** Reading the cookie makes every page dynamic, the not-found page too: a page built ahead would carry no nonce and never hydrate. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const preferences = parsePreferences((await cookies()).get(preferencesCookie)?.value)
  return (
    <html lang="en" className={fontClasses} {...viewAttributes(preferences)}>
      <body className="font-sans">
        <PreferencesProvider initial={preferences} renderedAt={new Date().toISOString()}>
          {children}
        </PreferencesProvider>
      </body>
    </html>
  )
}
