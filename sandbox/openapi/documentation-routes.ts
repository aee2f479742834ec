import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Hono } from 'hono'
import type { Dialect } from '@/sandbox/dialects/dialect'
import { operations } from '@/sandbox/operations'
import type { Sandbox } from '@/sandbox/sandbox'
import { renderHomePage } from './home-page'
import { makeOpenapiDocument } from './openapi-document'

const renderReferencePage = ({ environment, dialect }: Sandbox): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Reference · payments service (${environment}, ${dialect.name} dialect)</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/reference/swagger-ui.css">
<link rel="stylesheet" href="/reference/page.css">
<script src="/reference/swagger-ui-bundle.js" defer></script>
<script src="/reference/start.js" defer></script>
</head>
<body><main id="reference"></main></body>
</html>
`

/**
 * Starts Swagger UI. `validatorUrl: null` removes a badge that would send the document's URL to a
 * third party.
 */
const referenceScript = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
follow()
dark.addEventListener('change', follow)
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
})
`

const referenceStyle = `body { margin: 0 }
@media (max-width: 36rem) {
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; gap: .5rem }
  .swagger-ui .try-out .btn { padding: 5px 12px; margin: 0 0 0 .5rem }
  .swagger-ui .responses-inner { overflow-x: auto }
  .swagger-ui .wrapper { padding: 0 .75rem }
}
`

const htmlContentType = 'text/html; charset=utf-8'
const cssContentType = 'text/css; charset=utf-8'
const scriptContentType = 'text/javascript; charset=utf-8'

const contentTypeByFile: Readonly<Record<string, string>> = {
  'swagger-ui.css': cssContentType,
  'swagger-ui-bundle.js': scriptContentType,
}

const require = createRequire(import.meta.url)

/** Headers of a page that loads nothing from other sites and cannot be framed. */
const makeGuardedHeaders = (type: string, extra: string): Record<string, string> => ({
  'content-type': type,
  'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ${extra}`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
})

export function createDocumentationRoutes(sandbox: Sandbox, hasControlPlane: boolean): Hono {
  const app = new Hono()
  let cachedDocument: { dialect: Dialect; text: string } | undefined
  app.get('/openapi.json', (context) => {
    const { dialect, environment, integration } = sandbox
    if (cachedDocument?.dialect !== dialect)
      cachedDocument = {
        dialect,
        text: JSON.stringify(makeOpenapiDocument(operations, environment, dialect, integration)),
      }
    return context.body(cachedDocument.text, 200, {
      'content-type': 'application/json; charset=utf-8',
    })
  })
  app.get('/', (context) => {
    const page = renderHomePage(sandbox, hasControlPlane, new URL(context.req.url).origin)
    return context.body(
      page.html,
      200,
      makeGuardedHeaders(htmlContentType, `style-src '${page.styleHash}'; img-src data:`),
    )
  })
  app.get('/reference', (context) => {
    const page = renderReferencePage(sandbox)
    return context.body(
      page,
      200,
      makeGuardedHeaders(
        htmlContentType,
        "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'",
      ),
    )
  })
  app.get('/reference/start.js', (context) =>
    context.body(referenceScript, 200, { 'content-type': scriptContentType }),
  )
  app.get('/reference/page.css', (context) =>
    context.body(referenceStyle, 200, { 'content-type': cssContentType }),
  )
  for (const [name, type] of Object.entries(contentTypeByFile)) {
    app.get(`/reference/${name}`, async (context) => {
      const fileBytes = await readFile(require.resolve(`swagger-ui-dist/${name}`))
      return context.body(new Uint8Array(fileBytes), 200, {
        'content-type': type,
        'cache-control': 'max-age=3600',
      })
    })
  }
  return app
}
