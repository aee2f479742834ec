/** The mark of a part that React has not hydrated yet (`components/ui/boundary.tsx`). */
const pendingParts = 'template[data-hydrating]'

/**
 * Resolves once every part of the page that has arrived is hydrated; at once on the server. A response that changes a query before that makes React
 * discard the parts that the server drew with the older data.
 */
export function whenHydrated(): Promise<void> {
  if (typeof document === 'undefined' || !document.querySelector(pendingParts)) return Promise.resolve()
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector(pendingParts)) return
      observer.disconnect()
      resolve()
    })
    observer.observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-hydrating'] })
  })
}
