/** Work on several things at once, told of in order. */

/**
 * The results of an asynchronous function for each item.
 *
 * @param items what to work on
 * @param count how many at once
 * @param work the function
 * @param onResult called with each result in the order of the items, as soon as those before it are there
 * @returns the results in the order of the items
 */
export async function mapSideBySide<T, R>(
  items: T[],
  count: number,
  work: (item: T) => Promise<R>,
  onResult: (result: R) => void,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let told = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]);
      while (told in results) {
        onResult(results[told++]);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, worker));
  return results;
}
