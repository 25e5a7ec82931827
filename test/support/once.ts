/** Does a work once for each thing that it is given: what is told of clusters that are alike is told once. */
export function once<Given, T>(work: (given: Given) => Promise<T>): (given: Given) => Promise<T> {
  const done = new Map<string, Promise<T>>();
  return given => {
    const key = JSON.stringify(given);
    const known = done.get(key) ?? work(given);
    done.set(key, known);
    return known;
  };
}
