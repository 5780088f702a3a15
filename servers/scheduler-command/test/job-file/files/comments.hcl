# one
// two
/* three
   lines */
job "commented" { # four
  group "g" {
    task "t" { // five
      driver = "docker" /* six */
      config {
        image = "x" # "not" ${var.this}
      }
    }
  }
}
