import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

type Load<Props> = () => Promise<ComponentType<Props>>

/** Whether something failed because a script of ours did not come. The bundler's runtime names such an error so. */
export const isNotLoaded = (cause: unknown): boolean => cause instanceof Error && cause.name === 'ChunkLoadError'

// Comes after the page's own scripts, while the connection is there: it is for when it is not.
const standIns = typeof window === 'undefined' ? null : import('./stand-in').catch(() => null)

/**
 * A loader that gives a stand-in where its script does not come: it says so in the part's place and draws the part once the script is here. React
 * and `dynamic` keep what a loader came to for as long as the page lives; a failure they would throw over the whole page each time.
 */
export const withStandIn =
  <Props extends object>(load: Load<Props>): Load<Props> =>
  () =>
    load().catch(async (cause: unknown) => {
      const module = isNotLoaded(cause) ? await standIns : null
      if (!module) throw cause
      const came = { cause }
      return (props: Props) => <module.StandIn load={load} came={came} props={props} />
    })

/** A part whose script comes when it is first drawn, inside a `Suspense`. */
export const lazyPart = <Props extends object>(load: Load<Props>): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() => withStandIn(load)().then((Part) => ({ default: Part })))
