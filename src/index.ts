// The public names, as a tour of the rooms; the runner is a command and is left out.
export {};
