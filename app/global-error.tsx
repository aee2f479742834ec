'use client'

import './globals.css'

/** Next adds this file to every page, so it imports only the styles and loads no fonts. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body className="font-sans">
        <title>Something failed · Paydesk</title>
        <main className="mx-auto grid max-w-2xl justify-items-start gap-3 px-5 py-12">
          <h1 className="font-semibold text-lg">Paydesk could not show this page</h1>
          <p className="text-base text-ink-2">
            Something failed on our side. Anything sent before is in the action log.
          </p>
          {error.digest && <p className="text-ink-3 text-xs">Reference {error.digest}</p>}
          <button
            type="button"
            onClick={() => location.reload()}
            className="h-control rounded-sm bg-accent px-3 font-medium text-accent-on"
          >
            Reload page
          </button>
        </main>
      </body>
    </html>
  )
}
