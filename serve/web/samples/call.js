// Node.js 18 or later. A count of people can be "<5", and null is not published, never zero.
const address = "https://labour.example/v1/labour/skills-unmet?limit=5";

fetch(address, { headers: { Authorization: `Bearer ${process.env.LABOUR_KEY}` } })
  .then((response) => response.json())
  .then(({ data, sources }) => {
    console.table(data);
    for (const { attribution_statement } of sources) console.log(attribution_statement);
  });
