import type { Sandbox } from '@/sandbox/sandbox'

/** Page of the reference: Swagger UI for the OpenAPI document of the same origin. */
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

/** Starts Swagger UI, dark if the system is. Without the validator badge, which would send the document's address to a third party. */
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

/** Adds to Swagger UI's style: the page margin, and buttons that fit a phone. */
export const referenceStyle = `body { margin: 0 }
@media (max-width: 36rem) {
  .swagger-ui .opblock .opblock-section-header { flex-wrap: wrap; gap: .5rem }
  .swagger-ui .try-out .btn { padding: 5px 12px; margin: 0 0 0 .5rem }
  .swagger-ui .responses-inner { overflow-x: auto }
  .swagger-ui .wrapper { padding: 0 .75rem }
}
`
