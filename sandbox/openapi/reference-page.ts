import type { Sandbox } from '@/sandbox/sandbox'

/** The reference's page: Swagger UI over the OpenAPI document of the same origin. */
export const referencePage = ({ environment, dialect }: Sandbox): string => `<!doctype html>
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

/** Starts Swagger UI. No validator badge, which would send the document's address to a stranger; dark where the reader's system is. */
export const referenceScript = `const dark = matchMedia('(prefers-color-scheme: dark)')
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

/** What Swagger UI's own style leaves undone: the page's edge, and buttons that do not fit a phone. */
export const referenceStyle = `body { margin: 0 }
@media (max-width: 36rem) {
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; gap: .5rem }
  .swagger-ui .try-out .btn { padding: 5px 12px; margin: 0 0 0 .5rem }
  .swagger-ui .responses-inner { overflow-x: auto }
  .swagger-ui .wrapper { padding: 0 .75rem }
}
`
